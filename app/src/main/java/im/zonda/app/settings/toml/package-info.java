/// TOML with the place of each value, and errors that name it.
@NullMarked
package im.zonda.app.settings.toml;

import org.jspecify.annotations.NullMarked;
