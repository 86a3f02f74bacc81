/// Users who log in and out again.
@NullMarked
package im.zonda.bench.scenario.login;

import org.jspecify.annotations.NullMarked;
