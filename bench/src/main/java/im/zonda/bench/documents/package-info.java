/// The figures of the documents of 2003 to 2010 on load and speed, and where their like is measured
/// here.
@NullMarked
package im.zonda.bench.documents;

import org.jspecify.annotations.NullMarked;
