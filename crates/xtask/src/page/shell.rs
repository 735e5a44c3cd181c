//! The page's shell: each `data-trunk` element of index.html becomes what the browser needs.
//!
//! `rel="rust"` gives the wasm's preload and the script, or with `data-type="worker"` the addresses of the
//! worker's script (with what `data-end` names behind the glue) and wasm, which the page loads when it needs
//! them; `css` the one style sheet (at the first of them),
//! `icon` a link to a hashed file, `copy-dir` and `copy-file` nothing, as they only bring files along;
//! `<script data-trunk>` is joined to the script, behind the glue. `<meta name="csp">` becomes the policy.
//! Comments are dropped.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::{Dist, styles};
use crate::wasm::Program;

/// The page's files, from the text of index.html and what it names below `root`.
pub(super) fn assemble(html: &str, root: &Path, program: &Program, worker: &Program) -> Result<Dist> {
    let mut dist = Dist::default();
    let elements = elements(html);
    let ours = |rel: &'static str| elements.iter().filter(move |element| element.trunk() == Some(rel));

    let mut glue = program.glue.clone();
    for script in ours("script") {
        let path = script.need("src")?;
        glue.push('\n');
        glue.push_str(&fs::read_to_string(root.join(path)).with_context(|| path.to_owned())?);
    }
    let wasm = dist.add_hashed("netspurt.wasm", program.wasm.clone());
    let script = dist.add_hashed("netspurt.js", glue.into_bytes());
    let worker_wasm = dist.add_later("worker.wasm", worker.wasm.clone());
    let mut worker_glue = worker.glue.clone();
    if let Some(path) = ours("rust").find_map(|element| element.attribute("data-end")) {
        worker_glue.push('\n');
        worker_glue.push_str(&fs::read_to_string(root.join(path)).with_context(|| path.to_owned())?);
    }
    let worker_script = dist.add_later("worker.js", worker_glue.into_bytes());
    let sheets =
        ours("css").map(|sheet| sheet.need("href").map(str::to_owned)).collect::<Result<Vec<_>>>()?;
    let mut used = BTreeSet::new();
    let mut style = Some(styles::add(&mut dist, root, &sheets, &mut used)?);

    let mut written = String::with_capacity(html.len());
    let mut done = 0;
    for element in &elements {
        let Some(rel) = element.trunk() else { continue };
        written.push_str(&html[done..element.start]);
        done = element.end;
        let replacement = match rel {
            "rust" if element.attribute("data-type") == Some("worker") => {
                format!("<meta name=\"worker\" content=\"{worker_script} {worker_wasm}\">")
            }
            "rust" => format!(
                "<link rel=\"preload\" as=\"fetch\" crossorigin type=\"application/wasm\" id=\"wasm\" \
                 href=\"{wasm}\">\n<script src=\"{script}\"></script>"
            ),
            "script" | "comment" => String::new(),
            "css" => style
                .take()
                .map(|name| format!("<link rel=\"stylesheet\" href=\"{name}\">"))
                .unwrap_or_default(),
            "icon" => {
                let path = element.need("href")?;
                let bytes = fs::read(root.join(path)).with_context(|| path.to_owned())?;
                let name = dist.add_hashed(path, bytes);
                format!("<link rel=\"icon\" type=\"{}\" href=\"{name}\">", element.need("type")?)
            }
            "copy-file" | "copy-dir" => {
                copy(&mut dist, root, Path::new(element.need("href")?), Path::new(""), &used)?;
                String::new()
            }
            "csp" => {
                format!(
                    "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">",
                    element.need("content")?
                )
            }
            other => bail!("data-trunk rel=\"{other}\" is not known here"),
        };
        written.push_str(&replacement);
        // A removed element leaves no empty line behind.
        if written.ends_with('\n') && html[done..].starts_with('\n') {
            done += 1;
        }
    }
    written.push_str(&html[done..]);
    dist.add("index.html", written.into_bytes());
    dist.first_load.insert(0, "index.html".to_owned());
    Ok(dist)
}

/// Adds a file or folder under its own name. Files that a style sheet names are there already.
fn copy(dist: &mut Dist, root: &Path, path: &Path, into: &Path, used: &BTreeSet<PathBuf>) -> Result<()> {
    let full = root.join(path);
    let into = into.join(path.file_name().with_context(|| format!("{} has no name", path.display()))?);
    if full.is_dir() {
        for entry in fs::read_dir(&full)? {
            copy(dist, root, &path.join(entry?.file_name()), &into, used)?;
        }
    } else if !used.contains(path) {
        let bytes = fs::read(&full).with_context(|| path.display().to_string())?;
        dist.add(&into.to_string_lossy().replace('\\', "/"), bytes);
    }
    Ok(())
}

/// An element of the shell, with its place in the text.
#[derive(Debug)]
struct Element<'a> {
    name: &'a str,
    attributes: Vec<(&'a str, &'a str)>,
    start: usize,
    end: usize,
}

impl<'a> Element<'a> {
    fn attribute(&self, name: &str) -> Option<&'a str> {
        self.attributes.iter().find(|(key, _)| *key == name).map(|(_, value)| *value)
    }

    fn need(&self, name: &str) -> Result<&'a str> {
        self.attribute(name).with_context(|| format!("a {} element has no {name}", self.name))
    }

    /// What the build makes of this element; `None` if it stays as it is.
    fn trunk(&self) -> Option<&'a str> {
        match self.name {
            "link" if self.attribute("data-trunk").is_some() => Some(self.attribute("rel").unwrap_or("")),
            "script" if self.attribute("data-trunk").is_some() => Some("script"),
            "meta" if self.attribute("name") == Some("csp") => Some("csp"),
            "!--" => Some("comment"),
            _ => None,
        }
    }
}

/// The links, scripts, metas and comments of a page. A script's end tag belongs to it.
fn elements(html: &str) -> Vec<Element<'_>> {
    let mut elements = Vec::new();
    let mut at = 0;
    while let Some(open) = html[at..].find('<') {
        let start = at + open;
        let rest = &html[start..];
        if rest.starts_with("<!--") {
            at = rest.find("-->").map_or(html.len(), |end| start + end + 3);
            elements.push(Element { name: "!--", attributes: Vec::new(), start, end: at });
            continue;
        }
        let name_end = rest[1..].find(|c: char| !c.is_ascii_alphanumeric()).map_or(rest.len(), |end| end + 1);
        let name = &rest[1..name_end];
        let (attributes, tag_end) = attributes(rest, name_end);
        let end_tag = if name == "script" {
            rest[tag_end..].find("</script>").map(|end| tag_end + end + 9)
        } else {
            None
        };
        at = start + end_tag.unwrap_or(tag_end);
        if matches!(name, "link" | "script" | "meta") {
            elements.push(Element { name, attributes, start, end: at });
        }
    }
    elements
}

/// The attributes that start at `at`, and where the tag ends.
fn attributes(tag: &str, mut at: usize) -> (Vec<(&str, &str)>, usize) {
    let mut attributes = Vec::new();
    let until =
        |from: usize, stop: fn(char) -> bool| tag[from..].find(stop).map_or(tag.len(), |end| from + end);
    loop {
        at = until(at, |c| !c.is_whitespace() && c != '/');
        if at >= tag.len() || tag[at..].starts_with('>') {
            return (attributes, (at + 1).min(tag.len()));
        }
        let name_end = until(at, |c| c.is_whitespace() || matches!(c, '=' | '>' | '/')).max(at + 1);
        let name = &tag[at..name_end];
        at = name_end;
        let mut value = "";
        if tag[at..].starts_with('=') {
            let from = at + 1;
            let (value_start, value_end) = match tag[from..].chars().next() {
                Some('"') => (from + 1, until(from + 1, |c| c == '"')),
                Some('\'') => (from + 1, until(from + 1, |c| c == '\'')),
                _ => (from, until(from, |c| c.is_whitespace() || c == '>')),
            };
            value = &tag[value_start..value_end];
            at = if value_start > from { (value_end + 1).min(tag.len()) } else { value_end };
        }
        attributes.push((name, value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of sources, made anew for one test.
    fn sources(test: &str) -> PathBuf {
        let root = std::env::temp_dir().join(format!("netspurt-shell-{test}-{}", std::process::id()));
        for (name, text) in [
            ("www/a.css", "a{src:url(fonts/a.woff2)}"),
            ("www/b.css", "b{}"),
            ("www/boot.js", "boot()"),
            ("www/icon.svg", "<svg/>"),
            ("www/fonts/a.woff2", "font"),
            ("www/fonts/LICENSE.txt", "licence"),
        ] {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    fn program() -> Program {
        Program { wasm: b"\0asm".to_vec(), glue: "glue()".to_owned() }
    }

    fn worker() -> Program {
        Program { wasm: b"\0asm, worker".to_vec(), glue: "worker()".to_owned() }
    }

    const WORKER_JS: &str = "worker-a3a5f4d9e4.js";
    const WORKER_WASM: &str = "worker-2f904b6bdc.wasm";

    const SHELL: &str = r#"<!doctype html>
<!-- <link data-trunk rel="none"> -->
<meta name="csp" content="default-src 'none'">
<link data-trunk rel="rust" href="Cargo.toml">
<link data-trunk rel="rust" href="worker/Cargo.toml" data-type="worker">
<script data-trunk src="www/boot.js"></script>
<link data-trunk rel="css" href="www/a.css">
<link data-trunk rel="css" href="www/b.css">
<link data-trunk rel='icon' type=image/svg+xml href=www/icon.svg>
<link data-trunk rel="copy-dir" href="www/fonts" />
<p>Text stays.</p>
"#;

    #[test]
    fn the_shell_names_hashed_files() {
        let root = sources("shell");
        let dist = assemble(SHELL, &root, &program(), &worker()).unwrap();
        let names: Vec<_> = dist.files.keys().map(String::as_str).collect();
        let expected = [
            "a-795ea3efa4.woff2",
            "a-a01cbaaa2f.css",
            "fonts/LICENSE.txt",
            "icon-d4dc566691.svg",
            "index.html",
            "netspurt-8479cbfc16.js",
            "netspurt-cd5d4935a4.wasm",
            WORKER_WASM,
            WORKER_JS,
        ];
        assert_eq!(names, expected);
        assert_eq!(dist.first_load.len(), 6, "{:?}", dist.first_load);
        let html = format!(
            r#"<!doctype html>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<link rel="preload" as="fetch" crossorigin type="application/wasm" id="wasm" href="netspurt-cd5d4935a4.wasm">
<script src="netspurt-8479cbfc16.js"></script>
<meta name="worker" content="{WORKER_JS} {WORKER_WASM}">
<link rel="stylesheet" href="a-a01cbaaa2f.css">
<link rel="icon" type="image/svg+xml" href="icon-d4dc566691.svg">
<p>Text stays.</p>
"#
        );
        assert_eq!(dist.files["netspurt-8479cbfc16.js"], b"glue()\nboot()");
        assert_eq!(dist.files["a-a01cbaaa2f.css"], b"a{src:url(a-795ea3efa4.woff2)}\nb{}\n");
        assert_eq!(String::from_utf8_lossy(&dist.files["index.html"]), html);
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn what_is_missing_is_named() {
        let root = sources("missing");
        let check = |line: &str, expected: &str| {
            let shell = format!("<link data-trunk rel=css href=www/b.css>{line}");
            let error = assemble(&shell, &root, &program(), &worker()).expect_err(line);
            assert_eq!(format!("{error}"), expected);
        };
        check("<script data-trunk src=www/none.js></script>", "www/none.js");
        check("<link data-trunk rel=icon href=www/icon.svg>", "a link element has no type");
        check("<link data-trunk rel=sass href=a.scss>", "data-trunk rel=\"sass\" is not known here");
        fs::remove_dir_all(root).unwrap();
    }
}
