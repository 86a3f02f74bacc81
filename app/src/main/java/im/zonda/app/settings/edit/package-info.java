/// Changes the text of a configuration file and leaves its comments and its order as they are.
@NullMarked
package im.zonda.app.settings.edit;

import org.jspecify.annotations.NullMarked;
