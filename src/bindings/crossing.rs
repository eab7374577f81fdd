//! Errors and structured values between Rust and JavaScript.

#[cfg(feature = "wasm")]
use js_sys::{Array, JSON, Object, Reflect};
use serde::Serialize;
#[cfg(any(feature = "learn", feature = "lab"))]
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
#[cfg(any(feature = "learn", feature = "lab"))]
pub(super) fn from_js<T: DeserializeOwned>(what: &str, value: JsValue) -> Result<T, JsValue> {
    serde_wasm_bindgen::from_value(value).map_err(|problem| {
        // Its own text has a stack of calls.
        let problem = JsValue::from(problem).unchecked_into::<js_sys::Error>().message();
        refused(&format!("`{what}` cannot be read: {problem}"))
    })
}

/// An argument that is a plain object, read property by property. What Serde derives for one brings its messages along, and
/// with them how the standard library displays any number: a tenth of the search module.
#[cfg(feature = "wasm")]
pub(super) struct Properties<'a> {
    /// The name of the argument.
    pub what: &'a str,
    /// Its value.
    pub object: JsValue,
}

#[cfg(feature = "wasm")]
impl Properties<'_> {
    /// The property of a name; `None` where it is undefined or null.
    fn get(&self, name: &str) -> Result<Option<JsValue>, JsValue> {
        let value = Reflect::get(&self.object, &name.into())
            .map_err(|_| self.refused("it is not an object"))?;
        Ok(Some(value).filter(|value| !value.is_undefined() && !value.is_null()))
    }

    /// A number.
    pub(super) fn number(&self, name: &str) -> Result<Option<f32>, JsValue> {
        let number = |value: JsValue| {
            let number = value.as_f64().map(|number| number as f32);
            number.ok_or_else(|| self.wrong(name, "a number", &value))
        };
        self.get(name)?.map(number).transpose()
    }

    /// A whole number, which must be there.
    pub(super) fn count(&self, name: &str) -> Result<usize, JsValue> {
        let value = self.get(name)?.ok_or_else(|| self.missing(name))?;
        let number = value.as_f64().filter(|&number| number as usize as f64 == number);
        let count = number.map(|number| number as usize);
        count.ok_or_else(|| self.wrong(name, "a whole number", &value))
    }

    /// A string.
    pub(super) fn text(&self, name: &str) -> Result<Option<String>, JsValue> {
        let text =
            |value: JsValue| value.as_string().ok_or_else(|| self.wrong(name, "a string", &value));
        self.get(name)?.map(text).transpose()
    }

    /// The refusal of an object without a property.
    pub(super) fn missing(&self, name: &str) -> JsValue {
        self.refused(&format!("missing field `{name}`"))
    }

    /// The lists of strings of an object, each with its name; none where there is no such property.
    pub(super) fn lists(&self, name: &str) -> Result<Vec<(String, Vec<String>)>, JsValue> {
        let Some(value) = self.get(name)? else { return Ok(Vec::new()) };
        let list = |entry: JsValue| {
            let entry = Array::from(&entry);
            let values = entry.get(1);
            let values = values.dyn_ref::<Array>()?.iter().map(|value| value.as_string());
            Some((entry.get(0).as_string()?, values.collect::<Option<_>>()?))
        };
        let object = value.is_object().then(|| value.unchecked_ref::<Object>());
        let lists = object.and_then(|object| Object::entries(object).iter().map(list).collect());
        lists.ok_or_else(|| self.wrong(name, "an object of lists of strings", &value))
    }

    fn wrong(&self, name: &str, expected: &str, found: &JsValue) -> JsValue {
        let found = JSON::stringify(found).ok().and_then(|found| found.as_string());
        let found = found.unwrap_or_else(|| "a value that JSON does not have".into());
        self.refused(&format!("`{name}` must be {expected}, got {found}"))
    }

    fn refused(&self, problem: &str) -> JsValue {
        refused(&format!("`{}` cannot be read: {problem}", self.what))
    }
}
