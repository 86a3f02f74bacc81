/// Results of checks for administrators: those of `zonda doctor` and `zonda s2s check`.
@NullMarked
package im.zonda.app.finding;

import org.jspecify.annotations.NullMarked;
