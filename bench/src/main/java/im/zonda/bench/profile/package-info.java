/// Profiles of servers of Java under load: `zonda bench profile`.
@NullMarked
package im.zonda.bench.profile;

import org.jspecify.annotations.NullMarked;
