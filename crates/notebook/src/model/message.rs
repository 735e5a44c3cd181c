//! What happens to the page, and what it then asks of the browser.

use super::{Dialog, FileId, Kept, Panel, Theme};
use crate::edit::Address;
use crate::how::How;
use crate::reading::{Content, Preview};
use crate::request::Answer;
use netspurt_core::experiments::Inputs;
use netspurt_import::BadRows;

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Msg {
    /// A key or a parameter is set to what a reader typed or dragged. `live`: still being moved.
    Set {
        address: Address,
        text: String,
        live: bool,
    },
    /// A number is moved by so many of its steps; more may follow.
    Step {
        address: Address,
        steps: f64,
    },
    /// A key is removed.
    Unset(Address),
    /// A moving control was let go: the next change is a step of its own.
    Release,
    /// The parameters of a slot go back to their defaults.
    ResetSlot {
        cell: String,
        slot: usize,
    },
    /// The next free slot gets an estimator like the current one.
    AddSlot {
        cell: String,
    },
    /// A slot is emptied.
    RemoveSlot {
        cell: String,
        slot: usize,
    },
    /// A slot holds another estimator, with its defaults.
    ChooseEstimator {
        cell: String,
        slot: usize,
        id: &'static str,
    },
    /// A cell runs on another trace.
    ChooseTrace {
        cell: String,
        name: String,
    },
    /// A trace is shown in the current cell, or the first that runs on one, or a new one.
    ShowTrace {
        name: String,
    },
    /// A printed delay line is shown likewise: its place in the table.
    ShowLine {
        line: usize,
    },
    /// A cell made of parts gets one more, in this list of them.
    AddPart {
        cell: String,
        list: usize,
    },
    RemovePart {
        cell: String,
        list: usize,
        part: usize,
    },
    /// The text between a cell's fences.
    SetBody {
        cell: String,
        body: String,
    },
    /// A cell becomes the example of this name.
    UseExample {
        cell: String,
        name: &'static str,
    },
    /// Something happens to a thing, or how much (see [`netspurt_core::tree::Marking`]); 0: nothing.
    Mark {
        cell: String,
        key: &'static str,
        thing: u32,
        mark: u32,
    },
    /// A cell that goes on from the result of another comes after it; `which` of those offered.
    OpenFrom {
        cell: String,
        which: usize,
    },
    /// The prose of a block.
    SetProse {
        block: usize,
        text: String,
    },
    /// A cell's first error is mended as it offers.
    Fix {
        cell: String,
    },
    /// Cells come, go and move. `at` is the block before which the new one stands.
    AddCell {
        at: usize,
        kind: &'static str,
    },
    AddProse {
        at: usize,
    },
    Duplicate {
        cell: String,
    },
    Delete {
        cell: String,
    },
    MoveUp {
        cell: String,
    },
    MoveDown {
        cell: String,
    },
    Undo,
    Redo,

    SelectSlot {
        cell: String,
        slot: usize,
    },
    ShowPanel {
        cell: String,
        panel: Panel,
    },
    /// The part of the figure that is shown where there is room for one.
    ShowPart {
        cell: String,
        part: usize,
    },
    SelectRecord {
        cell: String,
        record: Option<usize>,
    },
    MoveRecord {
        cell: String,
        go: Go,
    },
    Zoom {
        cell: String,
        range: Option<(f64, f64)>,
    },
    /// A cell's estimator gets the factors of the point another cell is at.
    UsePoint {
        cell: String,
        target: String,
    },
    /// Two parameters of the cell become the ends of what was dragged over.
    Select {
        cell: String,
        from: (String, f64),
        to: (String, f64),
    },
    Focus {
        cell: Option<String>,
    },
    EditProse {
        block: Option<usize>,
    },
    Drawer(bool),
    Dialog(Option<Dialog>),
    Theme(Theme),

    /// A file was picked, dropped or pasted.
    OpenFile {
        file: FileId,
        name: String,
    },
    /// So many hundredths of a file are read.
    ReadProgress {
        ticket: u32,
        percent: u8,
    },
    /// What a file turned out to hold.
    FileRead {
        ticket: u32,
        content: Content,
    },
    StopReading,
    /// A part of what is inside a trace's file becomes a trace of its own. `None`: each of them.
    AddParts {
        trace: String,
        part: Option<usize>,
    },
    /// The columns of a trace's table are to be corrected. `None`: those of the file that failed.
    ChooseColumns {
        trace: Option<String>,
    },
    /// The table whose columns are being corrected is read so, in the words of a preview's answers.
    SetReading(String),
    Previewed {
        ticket: u32,
        preview: Result<Preview, String>,
    },
    /// The table is read as its preview shows.
    ReadSo,
    /// What can be opened.
    Kinds(Vec<(String, String)>),
    /// What has come of a run.
    Worked {
        ticket: u32,
        answer: Box<Answer>,
    },
    /// A run, or all that were going on, has broken off.
    WorkFailed {
        ticket: Option<u32>,
        why: String,
    },
    /// A cell's run is not wanted any more.
    StopWork {
        cell: String,
    },
    /// What was stopped is wanted after all.
    RunAgain {
        cell: String,
    },
    /// The browser could not hand over a file's bytes; or gave up on every file it was reading.
    ReadFailed {
        ticket: Option<u32>,
        why: String,
    },
    /// The file that failed is read again, its bad rows handled so.
    ReadAgain(BadRows),
    DismissFailure,
    /// The columns of a table are left as they were.
    DismissColumns,
    DismissOpened,
    /// A file kept from an earlier visit.
    RestoreFile {
        file: FileId,
        name: String,
        sha256: String,
        traces: Vec<Kept>,
    },
    RenameTrace {
        trace: String,
        name: String,
    },
    ForgetTrace {
        trace: String,
    },
    OpenLesson(&'static str),
    NewNotebook,
    /// A notebook kept from an earlier visit.
    RestoreNotebook {
        text: String,
    },
    /// The part of an address after `#`.
    OpenFragment(String),
    /// What could be read of a link that is damaged.
    OpenReadable,
    DismissLink,
    DismissReproduced,
    /// Another tab has changed the same notebook; what is here is kept beside it.
    OtherTab,
    DismissOtherTab,
    Saved(Result<(), String>),

    SaveTable {
        cell: String,
    },
    SaveMarkdown,
}

/// Where the crosshair goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Go {
    By(isize),
    First,
    Last,
}

/// What the browser is to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// The document or what is looked at has changed: write the address and keep the notebook, soon.
    Changed,
    /// Another notebook is open: keep it apart from the one before.
    OtherNotebook,
    /// A file is to be read, off the page: [`crate::reading::read`], then [`Msg::FileRead`].
    Read {
        ticket: u32,
        file: FileId,
        name: String,
        how: How,
    },
    /// The beginning of a file: [`crate::reading::preview`], then [`Msg::Previewed`].
    Preview {
        ticket: u32,
        file: FileId,
        how: How,
    },
    /// What can be opened: [`crate::reading::kinds`], then [`Msg::Kinds`].
    Kinds,
    /// Whatever is being read is not wanted any more.
    StopReading,
    /// A cell is to be run off the page: [`crate::request::begin`], then [`Msg::Worked`], once or more.
    Work {
        ticket: u32,
        kind: &'static str,
        /// What the cell says.
        body: String,
        inputs: Inputs,
    },
    /// Whatever is being run is not wanted any more.
    StopWork,
    /// A file the reader opened is to be kept, with the traces in it that are in the library.
    KeepFile {
        digest: String,
        name: String,
        traces: Vec<Kept>,
        file: FileId,
    },
    ForgetFile {
        digest: String,
    },
    Download {
        name: String,
        mime: &'static str,
        bytes: Vec<u8>,
    },
    Theme(Theme),
    /// Words for those who do not see what changed.
    Say(String),
    /// Put the focus on the element of this id, and so bring it into view.
    Focus(String),
    /// Bring the element of this id into view; the focus stays where it is.
    Show(String),
    /// Show the head of the page, where something is told.
    ShowTop,
}

/// Whether the browser has kept what is on the page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Saved {
    /// Nothing to keep yet.
    #[default]
    Nothing,
    Pending,
    Here,
    /// The browser's reason. What is on the page is still there.
    Failed(String),
}
