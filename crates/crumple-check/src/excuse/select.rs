//! `--ignore` and `--only`: which bodies are tested against which, from names and patterns.
//!
//! A rule names two bodies, `A,B`, or one, which then stands for that body with every other and with itself. In a pattern `*`
//! stands for any text, `?` for one character and `[abc]` for one of these; a body with exactly that name is meant before any
//! pattern is. Rules that mean no body are refused, so that renaming a body does not silently change what is tested.
//!
//! A name that no body has may be that of a bone or a material: the rule is then about regions of contacts with such a side.
//!
//! Bodies that no rule tells apart form a class. Whether two bodies are tested depends on their classes alone, so that a
//! pattern that means thousands of bodies costs as much as one that means two.

use std::cell::LazyCell;
use std::collections::HashMap;

use anyhow::Result;
use crumple::{BodyId, Scene};
use crumple_io::report::Tested;
use crumple_io::words::shown;

use crate::error::hinted;

/// Names listed when one is not known; the rest are counted.
const NAMES_LISTED: usize = 20;

/// Which bodies are tested against which.
#[derive(Debug, Default)]
pub(crate) struct Selection {
    /// The class of each body; empty if there are no rules.
    class_of: Vec<u32>,
    /// Whether bodies of two classes are tested against each other, in rows of all classes.
    is_tested: Vec<bool>,
    classes: usize,
    /// Whether the rules of `--only` that are about bodies mean two classes; all where there are none, in the same rows.
    is_wanted: Vec<bool>,
    /// The names of bodies, for rules about regions.
    names: Vec<String>,
    ignored_regions: Vec<RegionRule>,
    only_regions: Vec<RegionRule>,
}

/// Regions of contacts by the names of their sides: of a body, or of what carries a side.
#[derive(Debug)]
struct RegionRule {
    a: Pattern,
    /// `None` for any other side.
    b: Option<Pattern>,
}

/// What a name is held against.
#[derive(Debug)]
struct Pattern {
    text: Vec<char>,
    /// Whether there is such a name, so that it means itself and is no pattern.
    is_name: bool,
}

/// The bodies that may stand on either side of a pair.
struct Rule {
    a: Vec<bool>,
    b: Vec<bool>,
}

impl Selection {
    /// What the rules leave: all pairs, or with `only` those that one of them means, without those that `ignore` means.
    ///
    /// `carriers` lists the names of bones and materials; it is asked only for a name that no body has.
    pub(crate) fn new(
        ignore: &[String],
        only: &[String],
        names: &[String],
        carriers: impl FnOnce() -> Vec<String>,
    ) -> Result<Self> {
        if ignore.is_empty() && only.is_empty() {
            return Ok(Self::default());
        }
        let carriers = LazyCell::new(carriers);
        let rules = |option, given: &[String]| -> Result<(Vec<Rule>, Vec<RegionRule>)> {
            let (mut of_bodies, mut of_regions) = (Vec::new(), Vec::new());
            for text in given {
                match rule(option, text, names) {
                    Ok(rule) => of_bodies.push(rule),
                    Err(error) if carriers.is_empty() => return Err(error),
                    Err(_) => of_regions.push(region_rule(option, text, names, &carriers)?),
                }
            }
            Ok((of_bodies, of_regions))
        };
        let (ignore, ignored_regions) = rules("--ignore", ignore)?;
        let (only, only_regions) = rules("--only", only)?;
        let is_all = only.is_empty() && only_regions.is_empty();
        let mut numbers: HashMap<Vec<bool>, u32> = HashMap::new();
        let (mut class_of, mut examples) = (Vec::new(), Vec::new());
        for body in 0..names.len() {
            let sides = ignore.iter().chain(&only).flat_map(|rule| [rule.a[body], rule.b[body]]).collect();
            let class = *numbers.entry(sides).or_insert_with(|| {
                examples.push(body);
                examples.len() as u32 - 1
            });
            class_of.push(class);
        }
        let classes = examples.len();
        let (mut is_tested, mut is_wanted) = (Vec::with_capacity(classes * classes), Vec::new());
        for &a in &examples {
            for &b in &examples {
                is_wanted.push(is_all || only.iter().any(|rule| rule.means(a, b)));
                // Any two bodies may have a region that is wanted.
                let is_asked = is_wanted.last() == Some(&true) || !only_regions.is_empty();
                is_tested.push(is_asked && !ignore.iter().any(|rule| rule.means(a, b)));
            }
        }
        Ok(Self { class_of, is_tested, classes, is_wanted, names: names.to_vec(), ignored_regions, only_regions })
    }

    /// Whether two bodies are tested against each other, or one against itself.
    pub(crate) fn tests(&self, a: u32, b: u32) -> bool {
        match (self.class_of.get(a as usize), self.class_of.get(b as usize)) {
            (Some(&a), Some(&b)) => self.is_tested[a as usize * self.classes + b as usize],
            _ => true,
        }
    }

    /// Whether there are rules about regions of contacts.
    pub(crate) fn has_region_rules(&self) -> bool {
        !self.ignored_regions.is_empty() || !self.only_regions.is_empty()
    }

    /// Whether a region of a contact of two bodies that are tested is reported, given what carries its sides.
    pub(crate) fn keeps(&self, a: u32, b: u32, carriers: Option<&[String; 2]>) -> bool {
        let side = |body: u32, side: usize| {
            [self.names.get(body as usize).map(String::as_str), carriers.map(|carriers| carriers[side].as_str())]
        };
        let sides = [side(a, 0), side(b, 1)];
        let is_meant = |rules: &[RegionRule]| rules.iter().any(|rule| rule.means(sides));
        let is_wanted = || {
            let classes = [a, b].map(|body| self.class_of.get(body as usize).map_or(0, |&class| class as usize));
            self.is_wanted[classes[0] * self.classes + classes[1]]
        };
        !is_meant(&self.ignored_regions)
            && (self.only_regions.is_empty() || is_wanted() || is_meant(&self.only_regions))
    }

    /// Makes a scene leave out what is not tested.
    pub(crate) fn apply(&self, scene: &mut Scene, ids: &[BodyId]) -> Result<()> {
        for (&class, &id) in self.class_of.iter().zip(ids) {
            scene.set_group(id, class)?;
        }
        for a in 0..self.classes {
            for b in (a..self.classes).filter(|b| !self.is_tested[a * self.classes + b]) {
                scene.ignore_groups(a as u32, b as u32);
            }
        }
        Ok(())
    }

    /// How much is tested of bodies of which some are empty; `own` if bodies are tested against themselves.
    pub(crate) fn tested(&self, has_triangles: &[bool], own: bool) -> Tested {
        let mut sizes = vec![0u64; self.classes.max(1)];
        let mut tested = Tested::default();
        for (body, _) in has_triangles.iter().enumerate().filter(|(_, has_triangles)| **has_triangles) {
            sizes[self.class_of.get(body).map_or(0, |&class| class as usize)] += 1;
            tested.own += u64::from(own && self.tests(body as u32, body as u32));
        }
        for (a, &size) in sizes.iter().enumerate() {
            for b in a..sizes.len() {
                if self.is_tested.get(a * self.classes + b).is_none_or(|is_tested| *is_tested) {
                    tested.body_pairs += if a == b { size * size.saturating_sub(1) / 2 } else { size * sizes[b] };
                }
            }
        }
        tested
    }
}

impl Rule {
    fn means(&self, a: usize, b: usize) -> bool {
        (self.a[a] && self.b[b]) || (self.a[b] && self.b[a])
    }
}

impl RegionRule {
    fn means(&self, sides: [[Option<&str>; 2]; 2]) -> bool {
        let is =
            |pattern: &Pattern, side: [Option<&str>; 2]| side.into_iter().flatten().any(|name| pattern.means(name));
        let [one, other] = sides;
        match &self.b {
            Some(b) => (is(&self.a, one) && is(b, other)) || (is(&self.a, other) && is(b, one)),
            None => is(&self.a, one) || is(&self.a, other),
        }
    }
}

impl Pattern {
    /// `None` if it means none of these names.
    fn new(text: &str, names: &[String]) -> Option<Self> {
        meant(text, names)?;
        let text = text.trim();
        Some(Self { is_name: names.iter().any(|name| name == text), text: text.chars().collect() })
    }

    fn means(&self, name: &str) -> bool {
        match self.is_name {
            true => name.chars().eq(self.text.iter().copied()),
            false => matches(&self.text, &name.chars().collect::<Vec<_>>()),
        }
    }
}

/// A rule about regions: each side is named by its body or by what carries it.
fn region_rule(option: &str, text: &str, names: &[String], carriers: &[String]) -> Result<RegionRule> {
    let all = [names, carriers].concat();
    for (at, _) in text.match_indices(',') {
        if let (Some(a), Some(b)) = (Pattern::new(&text[..at], &all), Pattern::new(&text[at + 1..], &all)) {
            return Ok(RegionRule { a, b: Some(b) });
        }
    }
    if let Some(a) = Pattern::new(text, &all) {
        return Ok(RegionRule { a, b: None });
    }
    let unknown = text.split_once(',').map_or(text, |(a, b)| if meant(a, &all).is_none() { a } else { b });
    let what = format!("{option} {text}: there is no body, bone or material {}", unknown.trim());
    Err(hinted(what, format!("bodies: {}; bones and materials: {}", listed(names), listed(carriers))))
}

fn rule(option: &str, text: &str, names: &[String]) -> Result<Rule> {
    // Names may hold commas too: every one of them may be the one between.
    for (at, _) in text.match_indices(',') {
        if let (Some(a), Some(b)) = (meant(&text[..at], names), meant(&text[at + 1..], names)) {
            return Ok(Rule { a, b });
        }
    }
    if let Some(a) = meant(text, names) {
        return Ok(Rule { a, b: vec![true; names.len()] });
    }
    let parts = text.split_once(',');
    let unknown = parts.map_or(text, |(a, b)| if meant(a, names).is_none() { a } else { b });
    let what = format!("{option} {text}: there is no body {}", unknown.trim());
    Err(hinted(what, format!("there are {}", listed(names))))
}

/// The bodies that a name or a pattern means; `None` if there are none.
fn meant(pattern: &str, names: &[String]) -> Option<Vec<bool>> {
    let pattern = pattern.trim();
    let named: Vec<bool> = names.iter().map(|name| name == pattern).collect();
    if named.contains(&true) {
        return Some(named);
    }
    let pattern: Vec<char> = pattern.chars().collect();
    let matching: Vec<bool> = names.iter().map(|name| matches(&pattern, &name.chars().collect::<Vec<_>>())).collect();
    matching.contains(&true).then_some(matching)
}

/// Whether a pattern means all of `text`. Takes at most the product of both lengths: a `*` that comes later makes it
/// needless to try an earlier one again.
fn matches(pattern: &[char], text: &[char]) -> bool {
    let (mut p, mut t) = (0, 0);
    // The last `*`, and up to where it reaches.
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        if pattern.get(p) == Some(&'*') {
            star = Some((p, t));
            p += 1;
        } else if let Some(used) = one(&pattern[p..], text[t]) {
            p += used;
            t += 1;
        } else if let Some((at, reached)) = star {
            star = Some((at, reached + 1));
            (p, t) = (at + 1, reached + 1);
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&left| left == '*')
}

/// How many characters of the pattern mean this one; `None` if they do not.
fn one(pattern: &[char], character: char) -> Option<usize> {
    match pattern.first()? {
        '?' => Some(1),
        '[' => match pattern[1..].iter().position(|&c| c == ']') {
            Some(end) if end > 0 => pattern[1..=end].contains(&character).then_some(end + 2),
            // A bracket that is never closed stands for itself.
            _ => (character == '[').then_some(1),
        },
        &other => (other == character).then_some(1),
    }
}

fn listed(names: &[String]) -> String {
    let shown: Vec<_> = names.iter().take(NAMES_LISTED).map(|name| shown(name)).collect();
    match names.len().saturating_sub(NAMES_LISTED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error;

    fn strings(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    fn names() -> Vec<String> {
        strings(&["cloth", "body", "left, front", "wheel"])
    }

    /// The pairs that are not tested.
    fn left_out(ignore: &[&str], only: &[&str]) -> Vec<(u32, u32)> {
        let selection = Selection::new(&strings(ignore), &strings(only), &names(), Vec::new).unwrap();
        let pairs = (0..4).flat_map(|a| (a..4).map(move |b| (a, b)));
        pairs.filter(|&(a, b)| !selection.tests(a, b)).collect()
    }

    #[test]
    fn bodies_are_named_in_any_order_and_may_have_commas() {
        assert_eq!(left_out(&["body,cloth", "wheel, left, front", "cloth,cloth"], &[]), [(0, 0), (0, 1), (2, 3)]);
        assert_eq!(left_out(&["left, front"], &[]), [(0, 2), (1, 2), (2, 2), (2, 3)]);
    }

    #[test]
    fn only_keeps_the_pairs_it_means() {
        assert_eq!(left_out(&[], &["*"]), []);
        assert_eq!(left_out(&[], &["cloth"]), [(1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)]);
        assert_eq!(left_out(&["cloth,body"], &["cloth"]).len(), 7);
        assert_eq!(left_out(&[], &["cloth,body"]).len(), 9);
    }

    #[test]
    fn patterns_match_whole_names() {
        let is = |pattern: &str, text: &str| {
            matches(&pattern.chars().collect::<Vec<_>>(), &text.chars().collect::<Vec<_>>())
        };
        for (pattern, text) in [
            ("*", ""),
            ("arm*", "arm.L"),
            ("*.L", "arm.L"),
            ("a*m*L", "am.L.L"),
            ("b?", "b1"),
            ("b[12]", "b2"),
            ("[x", "[x"),
        ] {
            assert!(is(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in
            [("arm", "arm.L"), ("*.L", "arm.R"), ("b?", "b"), ("b[12]", "b3"), ("", "a"), ("[]", "]")]
        {
            assert!(!is(pattern, text), "{pattern} {text}");
        }
        let many = "a".repeat(2000);
        assert!(!is(&"a*".repeat(50), &format!("b{many}")));
    }

    #[test]
    fn what_is_tested_is_counted_without_empty_bodies() {
        let all = [true; 4];
        let count = |ignore: &[&str], bodies: &[bool], own| {
            let tested = Selection::new(&strings(ignore), &[], &names(), Vec::new).unwrap().tested(bodies, own);
            (tested.body_pairs, tested.own)
        };
        assert_eq!(count(&[], &all, false), (6, 0));
        assert_eq!(count(&[], &[true, false, true, true], true), (3, 3));
        assert_eq!(count(&["cloth,body", "wheel,wheel"], &all, true), (5, 3));
        assert_eq!(count(&["*"], &all, true), (0, 0));
    }

    #[test]
    fn bones_and_materials_are_named_where_no_body_is() {
        let bones = || strings(&["LeftHand", "RightHand", "Hips"]);
        let of = |ignore: &[&str], only: &[&str]| Selection::new(&strings(ignore), &strings(only), &names(), bones);
        let carried = |a: &str, b: &str| [a, b].map(str::to_owned);
        let keeps = |selection: &Selection, a: &str, b: &str| selection.keeps(1, 1, Some(&carried(a, b)));
        let selection = of(&["*Hand,Hips"], &[]).unwrap();
        assert!(selection.has_region_rules() && selection.tests(1, 1));
        assert!(!keeps(&selection, "LeftHand", "Hips") && !keeps(&selection, "Hips", "RightHand"));
        assert!(keeps(&selection, "LeftHand", "RightHand") && selection.keeps(1, 1, None));
        let selection = of(&["Hips,cloth"], &[]).unwrap();
        assert!(keeps(&selection, "Hips", "Hips") && !selection.keeps(0, 1, Some(&carried("sleeve", "Hips"))));
        let selection = of(&[], &["LeftHand", "cloth,body"]).unwrap();
        assert!(selection.tests(2, 3) && keeps(&selection, "Hips", "LeftHand") && !keeps(&selection, "Hips", "Hips"));
        assert!(selection.keeps(0, 1, None) && !selection.keeps(1, 2, None));
        let error = of(&["LeftHand,Foot"], &[]).unwrap_err();
        assert_eq!(error.to_string(), "--ignore LeftHand,Foot: there is no body, bone or material Foot");
    }

    #[test]
    fn an_unknown_name_is_refused_with_a_list_of_the_known_ones() {
        let refused = |text: &str| {
            let error = rule("--ignore", text, &names()).err().unwrap();
            (error.to_string(), error::hint(&error).unwrap_or_default().to_owned())
        };
        let known = "there are cloth, body, left, front, wheel".to_owned();
        let no_body = "--ignore cloth,bdoy: there is no body bdoy".to_owned();
        assert_eq!(refused("cloth,bdoy"), (no_body, known.clone()));
        let no_body = "--ignore clth,body: there is no body clth".to_owned();
        assert_eq!(refused("clth,body"), (no_body, known.clone()));
        assert_eq!(refused("x*"), ("--ignore x*: there is no body x*".to_owned(), known));
        let many: Vec<String> = (0..25).map(|number| format!("b{number}")).collect();
        assert!(listed(&many).ends_with("b18, b19 and 5 more"));
    }
}
