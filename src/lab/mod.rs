//! The mathematics behind the page's pictures. Whatever a picture shows is computed here, by the
//! functions that search and training use.

pub mod certified;
pub mod colours;
pub mod descent;
pub mod lifetimes;
pub mod losses;
pub mod order;
pub mod plane;
pub mod theory;
