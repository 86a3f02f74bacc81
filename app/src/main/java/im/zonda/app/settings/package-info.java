/// Reads the configuration into records; reports every error with its place in the file.
@NullMarked
package im.zonda.app.settings;

import org.jspecify.annotations.NullMarked;
