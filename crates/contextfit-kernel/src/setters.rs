//! Setters of types that may grow.

/// Adds a setter for each field named. The value is converted into the field's type; after `=> some`, it is converted
/// and set as `Some`. Types with such setters are `#[non_exhaustive]`, so that they can get more fields.
///
/// ```
/// # use contextfit_kernel as contextfit;
/// use contextfit::Passage;
///
/// assert_eq!(Passage::at("a.md").with_title("A").title.as_deref(), Some("A"));
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! setters {
    (
        $type:ty $(where $life:lifetime)? {
            $($setter:ident($field:ident: $value:ty $(=> $some:ident)?)),+ $(,)?
        }
    ) => {
        impl $(<$life>)? $type {
            $(
                #[doc = concat!("Sets [`", stringify!($field), "`](Self::", stringify!($field), ").")]
                #[must_use]
                pub fn $setter(mut self, $field: $value) -> Self {
                    self.$field = $crate::setters!(@value $field $($some)?);
                    self
                }
            )+
        }
    };
    (@value $field:ident some) => { Some($field.into()) };
    (@value $field:ident) => { $field.into() };
}
