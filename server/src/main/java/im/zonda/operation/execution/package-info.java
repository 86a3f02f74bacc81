/// Runs operations: decides who may, limits their time, writes the audit, and keeps the work that
/// takes long.
@NullMarked
package im.zonda.operation.execution;

import org.jspecify.annotations.NullMarked;
