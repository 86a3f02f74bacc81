package im.zonda.operation;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Describes a component of the input or the result of an operation. Help, forms, the description
/// of the API and the messages about wrong values are made from it.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Field {
  /// Describes the limit of a page of a list.
  String LIMIT = "the most entries of the page";

  /// Describes the node of an entry.
  String NODE = "the node of the cluster; null without one";

  /// Describes where a list goes on, in the result of a page.
  String NEXT = "the value of after for the next page; null if this is the last";

  /// What a text or number is where the Java type does not say it.
  enum Form {
    /// As the type says.
    PLAIN,
    /// A text of several lines.
    LINES,
    /// The domain of a host, a service or another server.
    DOMAIN,
    /// A number of bytes, also as a text such as `5MiB`.
    BYTES
  }

  /// A few words, such as `the new password`.
  String value();

  /// What it is.
  Form form() default Form.PLAIN;

  /// The value if none is given, as a text; empty for none. Without one, a component is required
  /// unless it may be null, is a list, or is a boolean, which is false then.
  String fallback() default "";

  /// The smallest number.
  long min() default 0;

  /// The largest number; for a text the most characters, for a list the most elements. 0 for the
  /// usual bound.
  long max() default 0;
}
