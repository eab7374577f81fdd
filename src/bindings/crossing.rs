//! Errors and structured values between Rust and JavaScript.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

use crate::Error;

#[wasm_bindgen]
extern "C" {
    /// JavaScript's `Error`, with a code for programs.
    #[wasm_bindgen(js_name = Error)]
    type CodedError;
    #[wasm_bindgen(constructor, js_class = "Error")]
    fn new(message: &str) -> CodedError;
    #[wasm_bindgen(method, setter, js_class = "Error")]
    fn set_code(this: &CodedError, code: &str);
}

/// An error of the core as JavaScript throws it: with its `code`.
pub(super) fn thrown(error: Error) -> JsValue {
    coded(error.code(), &error.to_string())
}

/// The error of an argument of a wrong shape.
pub(super) fn refused(problem: &str) -> JsValue {
    coded("invalid-argument", problem)
}

pub(super) fn coded(code: &str, message: &str) -> JsValue {
    let error = CodedError::new(message);
    error.set_code(code);
    error.into()
}

/// A value as plain objects and arrays; `None` as `undefined`.
pub(super) fn to_js<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, JsValue> {
    Ok(value.serialize(&Serializer::new().serialize_maps_as_objects(true))?)
}

/// A value from plain objects and arrays; `what` names the argument in the refusal.
pub(super) fn from_js<T: DeserializeOwned>(what: &str, value: JsValue) -> Result<T, JsValue> {
    serde_wasm_bindgen::from_value(value).map_err(|problem| {
        // Its own text has a stack of calls.
        let problem = JsValue::from(problem).unchecked_into::<js_sys::Error>().message();
        refused(&format!("`{what}` cannot be read: {problem}"))
    })
}
