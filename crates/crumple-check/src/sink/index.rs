//! The page that links the pages of many files.

use crumple_io::words::counted;

use crate::each::Each;

const HEAD: &str = r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>crumple: checked files</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b2330; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 0.35rem 0.75rem 0.35rem 0; border-bottom: 1px solid #d6dbe3; vertical-align: top; }
.bad { color: #b3261e; }
@media (prefers-color-scheme: dark) { body { background: #12161d; color: #e4e8ef; } th, td { border-color: #333b49; } .bad { color: #ff8a80; } a { color: #8ab4ff; } }
</style>
</head>
<body>
"#;

/// The page as text.
pub(crate) fn page(results: &[Each]) -> String {
    let bad = results.iter().filter(|each| each.collides() || each.has_failed()).count();
    let mut text = HEAD.to_owned();
    text += &format!("<h1>{} checked, {bad} with findings</h1>\n<table>\n", counted(results.len() as u64, "file"));
    text += "<tr><th>file</th><th>findings</th><th>the worst</th></tr>\n";
    for each in results {
        let file = escaped(&each.file);
        let file = match each.page.as_deref().and_then(|page| page.file_name()) {
            Some(page) => format!("<a href=\"{}\">{file}</a>", address(&page.to_string_lossy())),
            None => file,
        };
        let (count, worst) = match &each.outcome {
            Ok(outcome) => {
                let worst = outcome.findings().first().map(|finding| outcome.sentence(finding)).unwrap_or_default();
                (outcome.findings().len().to_string(), worst)
            }
            Err(error) => ("error".to_owned(), error.clone()),
        };
        let class = if count == "0" { "" } else { " class=\"bad\"" };
        text += &format!("<tr><td>{file}</td><td{class}>{count}</td><td>{}</td></tr>\n", escaped(&worst));
    }
    text + "</table>\n</body>\n</html>\n"
}

/// Text in HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The name of a file as a reference.
fn address(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let letter = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    format!("./{}", name.bytes().map(letter).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::{address, escaped};

    #[test]
    fn no_name_breaks_the_page() {
        assert_eq!(escaped("<a & \"b\">"), "&lt;a &amp; &quot;b&quot;&gt;");
        assert_eq!(address("a b%.html"), "./a%20b%25.html");
    }
}
