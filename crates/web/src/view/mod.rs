//! State to elements, one file a region of the page.

pub(crate) mod bar;
pub(crate) mod cell;
pub(crate) mod columns;
pub(crate) mod controls;
pub(crate) mod dialogs;
pub(crate) mod drawer;
pub(crate) mod examples;
pub(crate) mod failures;
pub(crate) mod figure;
pub(crate) mod head;
pub(crate) mod icons;
pub(crate) mod legend;
pub(crate) mod marks;
pub(crate) mod opened;
pub(crate) mod own_traces;
mod part_lists;
pub(crate) mod parts;
pub(crate) mod parts_of_figure;
pub(crate) mod prose;
pub(crate) mod prose_block;
pub(crate) mod readout;
pub(crate) mod slider;
pub(crate) mod source;
pub(crate) mod steps;
pub(crate) mod table;
pub(crate) mod trace_names;
pub(crate) mod why;

use netspurt_notebook::model::{Model, Msg};
use std::cell::{Ref, RefCell, RefMut};
use std::rc::Rc;
use yew::Callback;

/// The page's state, which a part of the page reads when it is drawn: what it shows tells whether it is.
#[derive(Debug, Clone, Default)]
pub(crate) struct Live(Rc<RefCell<Model>>);

impl PartialEq for Live {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Live {
    pub(crate) fn read(&self) -> Ref<'_, Model> {
        self.0.borrow()
    }

    pub(crate) fn change(&self) -> RefMut<'_, Model> {
        self.0.borrow_mut()
    }
}

/// What every region needs to know besides the model.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Surroundings {
    pub(crate) on: Callback<Msg>,
    pub(crate) dark: bool,
    /// Counts up when fonts have arrived.
    pub(crate) fonts: u32,
}

impl Surroundings {
    /// A callback that sends a message made anew for each event.
    pub(crate) fn send<E: 'static>(&self, msg: Msg) -> Callback<E> {
        self.on.reform(move |_| msg.clone())
    }
}
