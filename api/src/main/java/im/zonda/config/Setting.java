package im.zonda.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Says what a record component means as a key of the configuration file.
///
/// The key's name is the component's in lower-case-dashed. The reference and all messages about
/// wrong values are made from this annotation, so that they cannot disagree with the code.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {
  /// How a value is written where its Java type does not say so.
  enum Form {
    /// As its type: a text, a number, a truth value, a duration such as `"30s"`, a path.
    PLAIN,
    /// A number of bytes, or a text such as `"256KiB"`.
    BYTES,
    /// A duration such as `"20ms"`; the component counts milliseconds.
    MILLIS,
    /// A rate such as `"5/h"`, or `"off"`; the component counts per hour, 0 being off.
    PER_HOUR,
    /// `address:port`; an IPv6 address stands in brackets; port 0 takes any free one.
    ADDRESS,
    /// A domain.
    DOMAIN,
    /// An URI with its scheme.
    URI,
    /// The name of a module.
    MODULE
  }

  /// What it is, in one sentence.
  String value();

  /// How it is written.
  Form form() default Form.PLAIN;

  /// The key, where the component has a name of its own; empty: the component's name.
  String key() default "";

  /// The least number.
  long min() default 0;

  /// The greatest number.
  long max() default Integer.MAX_VALUE;
}
