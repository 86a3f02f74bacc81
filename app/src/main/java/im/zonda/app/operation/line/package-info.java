/// Operations on the command line: a command for each definition, made from its records.
@NullMarked
package im.zonda.app.operation.line;

import org.jspecify.annotations.NullMarked;
