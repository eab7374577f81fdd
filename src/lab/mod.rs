//! The mathematics behind the page's pictures. Whatever a picture shows is computed here, by the
//! functions that search and training use.

pub mod colours;
pub mod descent;
pub mod losses;
pub mod order;
pub mod plane;
