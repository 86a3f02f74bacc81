package im.zonda.config.annotation;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Documents a record component as a key of the configuration file.
///
/// The key is the component's name in lower-case-dashed. The reference and all messages about
/// invalid values are generated from this annotation.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {
  /// The syntax of a value where the Java type does not imply it.
  enum Form {
    /// The syntax of the Java type: a text, a number, a boolean, a duration such as `"30s"`, a
    /// path.
    PLAIN,
    /// A number of bytes, or a text such as `"256KiB"`.
    BYTES,
    /// A duration such as `"20ms"`; the component counts milliseconds.
    MILLIS,
    /// A rate such as `"5/h"`, or `"off"`; the component counts per hour, 0 being off.
    PER_HOUR,
    /// `address:port`; an IPv6 address in brackets; port 0 for any free one.
    ADDRESS,
    /// A domain.
    DOMAIN,
    /// A domain, `*.` and a domain for all below it, or `*`.
    DOMAIN_PATTERN,
    /// `host:port` of a server, or `tls://host:port` for direct TLS.
    ROUTE,
    /// A URI with its scheme.
    URI,
    /// The URL of a database.
    DATABASE,
    /// A secret, which is never printed.
    SECRET,
    /// The name of a module.
    MODULE
  }

  /// The description, one sentence.
  String value();

  /// The syntax.
  Form form() default Form.PLAIN;

  /// The key, or empty for the component's name.
  String key() default "";

  /// The minimum.
  long min() default 0;

  /// The maximum.
  long max() default Integer.MAX_VALUE;
}
