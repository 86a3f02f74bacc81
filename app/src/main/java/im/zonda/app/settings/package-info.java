/// The configuration file: text to records, with every mistake reported at its place.
@NullMarked
package im.zonda.app.settings;

import org.jspecify.annotations.NullMarked;
