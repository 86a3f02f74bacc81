package im.zonda.plugin;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// A type that plugins may rely on: within a major version of the interface it changes only so that
/// plugins that were compiled before still run. A package has the promise for all its types.
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.PACKAGE})
public @interface Stable {
  /// The version of the interface ([Plugin#API]) that had it first.
  String since();
}
