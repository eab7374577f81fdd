//! What the parts that JavaScript sees share.

#[cfg(feature = "wasm")]
use js_sys::Object;
use js_sys::Reflect;
use wasm_bindgen::JsValue;

use crate::Error;

/// An error as JavaScript throws it: with a `code`.
pub(crate) fn thrown(error: Error) -> JsValue {
    let thrown = js_sys::Error::new(&error.to_string());
    let _ = Reflect::set(&thrown, &"code".into(), &error.code().into());
    thrown.into()
}

/// A plain object.
#[cfg(feature = "wasm")]
pub(crate) fn object(entries: &[(&str, JsValue)]) -> Object {
    let object = Object::new();
    for (key, value) in entries {
        // Setting a property of a fresh plain object cannot fail.
        let _ = Reflect::set(&object, &JsValue::from_str(key), value);
    }
    object
}
