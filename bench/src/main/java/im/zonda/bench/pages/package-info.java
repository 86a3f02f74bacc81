/// Pages of the documentation that are made from results: performance, and the documents of 2003 to
/// 2010 beside today.
@NullMarked
package im.zonda.bench.pages;

import org.jspecify.annotations.NullMarked;
