//! The page's icons: strokes on an 18 by 18 grid.

use yew::prelude::*;

/// An icon. It is decoration: the button around it carries the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Icon {
    Menu,
    Open,
    Share,
    Export,
    Undo,
    Redo,
    Theme,
    Help,
    Close,
    Find,
    Reset,
    More,
    Code,
    Table,
    Copy,
    Lessons,
    Warn,
    Plus,
    First,
    Back,
    Play,
    Pause,
    Forward,
    Last,
}

impl Icon {
    fn path(self) -> &'static str {
        match self {
            Self::Menu => "M3 5h12M3 9h12M3 13h12",
            Self::Open => "M2.5 14.5v-11h4l2 2h7v9zM2.5 7.5h13",
            Self::Share => {
                "M7.5 10.5l3-3M6.2 8.2L4 10.4a2.6 2.6 0 003.6 3.6l2.2-2.2M11.8 9.8L14 7.6A2.6 2.6 0 0010.4 4L8.2 6.2"
            }
            Self::Export => "M9 2.5v8M5.8 7.5L9 10.7l3.2-3.2M3 13v2.5h12V13",
            Self::Undo => "M6 4L3 7l3 3M3 7h7a4 4 0 010 8H7",
            Self::Redo => "M12 4l3 3-3 3M15 7H8a4 4 0 000 8h3",
            Self::Theme => "M9 3a6 6 0 100 12zM9 3a6 6 0 010 12",
            Self::Help => {
                "M6.8 6.8a2.3 2.3 0 114 1.6c-.9.9-1.8 1.2-1.8 2.5M9 13.8v.1M9 1.8a7.2 7.2 0 100 14.4A7.2 7.2 0 009 1.8z"
            }
            Self::Close => "M4.5 4.5l9 9M13.5 4.5l-9 9",
            Self::Find => "M8 3a5 5 0 100 10A5 5 0 008 3zM11.7 11.7L15.5 15.5",
            Self::Reset => "M4 7.5A5.3 5.3 0 119 14.3M4 3.8v3.7h3.7",
            Self::More => "M4 9h.1M9 9h.1M14 9h.1",
            Self::Code => "M6.5 5L2.5 9l4 4M11.5 5l4 4-4 4",
            Self::Table => "M2.5 3.5h13v11h-13zM2.5 7.2h13M2.5 10.9h13M7 3.5v11",
            Self::Copy => "M6.5 6.5h8v8h-8zM11.5 6.5v-3h-8v8h3",
            Self::Lessons => {
                "M9 4.5C7.5 3.3 5 3 2.5 3.2v10.6C5 13.6 7.5 14 9 15c1.5-1 4-1.4 6.5-1.2V3.2C13 3 10.5 3.3 9 4.5zM9 4.5V15"
            }
            Self::Warn => "M9 2.5l7 12.5H2zM9 7v4M9 12.9v.1",
            Self::First => "M14 4L9 9l5 5M9 4L4 9l5 5",
            Self::Back => "M4.5 4v10M13 4L8 9l5 5",
            Self::Play => "M5.5 3.5l8 5.5-8 5.5z",
            Self::Pause => "M6.5 4v10M11.5 4v10",
            Self::Forward => "M13.5 4v10M5 4l5 5-5 5",
            Self::Last => "M4 4l5 5-5 5M9 4l5 5-5 5",
            Self::Plus => "M9 4v10M4 9h10",
        }
    }

    pub(crate) fn html(self) -> Html {
        self.class("i")
    }

    pub(crate) fn class(self, class: &'static str) -> Html {
        html! {
            <svg class={class} viewBox="0 0 18 18" aria-hidden="true"><path d={self.path()} /></svg>
        }
    }
}

/// The mark beside the name: a delay that leaps, and the estimate that follows it down.
pub(crate) fn mark() -> Html {
    html! {
        <svg viewBox="0 0 22 18" aria-hidden="true">
            <path d="M1 14.5H7L8.5 2C9.5 9 13 12.8 21 13.6" />
            <circle cx="3" cy="16.5" r="1" />
            <circle cx="8.5" cy="5.5" r="1" />
            <circle cx="13" cy="16" r="1" />
            <circle cx="18" cy="16.3" r="1" />
        </svg>
    }
}
