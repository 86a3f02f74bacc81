package im.zonda.module;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Names a XEP that a class implements. The reference and the DOAP file are generated from it.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Repeatable(Xep.All.class)
public @interface Xep {
  /// The number.
  int number();

  /// The version of the XEP that is implemented.
  String version();

  /// The title.
  String title();

  /// What is not implemented, in one sentence; empty if everything is.
  String note() default "";

  /// Holds several.
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.TYPE)
  @interface All {
    /// The XEPs.
    Xep[] value();
  }
}
