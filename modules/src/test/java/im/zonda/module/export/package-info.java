/// Tests of the export.
@NullMarked
package im.zonda.module.export;

import org.jspecify.annotations.NullMarked;
