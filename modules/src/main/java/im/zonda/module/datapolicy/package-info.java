/// Data policy: what users are told about their data (XEP-0504).
@NullMarked
package im.zonda.module.datapolicy;

import org.jspecify.annotations.NullMarked;
