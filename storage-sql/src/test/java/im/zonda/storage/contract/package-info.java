/// Contract tests that every implementation of the stores passes.
@NullMarked
package im.zonda.storage.contract;

import org.jspecify.annotations.NullMarked;
