//! Names for bodies, no two alike.

use std::collections::HashMap;

/// Names given so far. A name that is taken gets a number: `wheel`, `wheel#2`, `wheel#3`.
#[derive(Clone, Debug, Default)]
pub struct UniqueNames {
    /// For each name that was given, the number to try next.
    next: HashMap<String, u64>,
}

impl UniqueNames {
    /// The name, or the name with the first number that makes it unlike all others. Takes constant time on average.
    pub fn unique(&mut self, name: &str) -> String {
        let Some(&first) = self.next.get(name) else {
            self.next.insert(name.to_owned(), 2);
            return name.to_owned();
        };
        let mut number = first;
        let unique = loop {
            let numbered = format!("{name}#{number}");
            number += 1;
            // A file may have used such a name itself.
            if !self.next.contains_key(&numbered) {
                break numbered;
            }
        };
        self.next.insert(name.to_owned(), number);
        self.next.insert(unique.clone(), 2);
        unique
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_names_are_alike_whatever_the_files_call_their_bodies() {
        let mut names = UniqueNames::default();
        let given = ["a", "a#2", "a", "a", "a#2", "b", ""].map(|name| names.unique(name));
        assert_eq!(given, ["a", "a#2", "a#3", "a#4", "a#2#2", "b", ""]);
    }
}
