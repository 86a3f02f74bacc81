/// Annotations by which the records of the configuration describe their keys.
@NullMarked
package im.zonda.config.annotation;

import org.jspecify.annotations.NullMarked;
