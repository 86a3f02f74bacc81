/// Many users who are online and do nothing.
@NullMarked
package im.zonda.bench.scenario.sessions;

import org.jspecify.annotations.NullMarked;
