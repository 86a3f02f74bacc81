/// The cells of the study: a virtual machine, its options, and a variant of the jars.
@NullMarked
package im.zonda.study.cell;

import org.jspecify.annotations.NullMarked;
