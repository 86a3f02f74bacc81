/// Checks of sections of the configuration that involve more than one key. Each reports the dotted
/// path of a key and what is wrong with it.
@NullMarked
package im.zonda.app.settings.check;

import org.jspecify.annotations.NullMarked;
