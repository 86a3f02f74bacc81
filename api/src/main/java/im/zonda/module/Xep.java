package im.zonda.module;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Says which XEP a class implements; the reference and the DOAP file are made from it.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Repeatable(Xep.All.class)
public @interface Xep {
  /// The number.
  int number();

  /// The version of the text that was followed.
  String version();

  /// The title.
  String title();

  /// What is left out, in one sentence; empty if nothing is.
  String note() default "";

  /// Holds several.
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.TYPE)
  @interface All {
    /// The XEPs.
    Xep[] value();
  }
}
