/// Data policy: the information for users about their data (XEP-0504).
@NullMarked
package im.zonda.module.datapolicy;

import org.jspecify.annotations.NullMarked;
