/// Settings for external components, as parts of the configuration.
@NullMarked
package im.zonda.config.component;

import org.jspecify.annotations.NullMarked;
