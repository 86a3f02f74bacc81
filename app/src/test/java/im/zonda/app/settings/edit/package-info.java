/// Tests of `im.zonda.app.settings.edit`. Tests of `im.zonda.app.settings.edit`.
@NullMarked
package im.zonda.app.settings.edit;

import org.jspecify.annotations.NullMarked;
