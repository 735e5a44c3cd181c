//! The reader's few settings, in local storage. Where storage is forbidden, they last one visit.

use crate::dom::window;
use netspurt_notebook::model::Theme;
use web_sys::Storage;

const THEME: &str = "netspurt.theme";
const LETTERS: &str = "netspurt.letters";
/// A notebook that was changed just before the page was left: its key, a line end, its text.
const LEFT: &str = "netspurt.left";

fn storage() -> Option<Storage> {
    window()?.local_storage().ok()?
}

fn put(key: &str, value: Option<&str>) {
    if let Some(storage) = storage() {
        // Settings that cannot be kept hold until the page is left.
        let _ = match value {
            Some(value) => storage.set_item(key, value),
            None => storage.remove_item(key),
        };
    }
}

fn item(key: &str) -> Option<String> {
    storage()?.get_item(key).ok()?
}

pub(crate) fn theme() -> Theme {
    item(THEME).map_or(Theme::System, |word| Theme::from_word(&word))
}

/// Keeps the theme and shows it.
pub(crate) fn set_theme(theme: Theme) {
    put(THEME, theme.word());
    let root = window().and_then(|w| w.document()).and_then(|d| d.document_element());
    if let Some(root) = root {
        // Without the attribute the system's theme holds.
        let _ = match theme.word() {
            Some(word) => root.set_attribute("data-theme", word),
            None => root.remove_attribute("data-theme"),
        };
    }
}

/// Whether single letters are commands.
pub(crate) fn letters() -> bool {
    item(LETTERS).as_deref() != Some("off")
}

pub(crate) fn set_letters(on: bool) {
    put(LETTERS, (!on).then_some("off"));
}

/// Keeps a notebook at once, as the page is being left: the database might not answer in time.
pub(crate) fn put_left(id: &str, text: &str) {
    put(LEFT, Some(&format!("{id}\n{text}")));
}

/// The key and text of the notebook that was kept so, which is then forgotten here.
pub(crate) fn take_left() -> Option<(String, String)> {
    let left = item(LEFT)?;
    put(LEFT, None);
    let (id, text) = left.split_once('\n')?;
    Some((id.to_owned(), text.to_owned()))
}
