/// Pairs of users who talk at a steady rate.
@NullMarked
package im.zonda.bench.scenario.chat;

import org.jspecify.annotations.NullMarked;
