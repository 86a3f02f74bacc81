/// An office of 2006: many users who rarely do anything, some who do much, and later more of those.
@NullMarked
package im.zonda.bench.scenario.office;

import org.jspecify.annotations.NullMarked;
