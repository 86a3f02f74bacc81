/// What every implementation of the stores promises, as tests.
@NullMarked
package im.zonda.storage.contract;

import org.jspecify.annotations.NullMarked;
