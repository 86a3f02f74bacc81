/// Settings for watching a server, as parts of the configuration.
@NullMarked
package im.zonda.config.monitoring;

import org.jspecify.annotations.NullMarked;
