/// Files that users upload and download by HTTP (XEP-0363).
@NullMarked
package im.zonda.bench.scenario.upload;

import org.jspecify.annotations.NullMarked;
