/// Operations of administrators, defined once for every way to run them: HTTP, the command line,
/// ad-hoc commands, the console and plugins.
///
/// An [Operation] is data: a name, a route, the right that it needs, and records for what goes in
/// and comes out. [Operations#run] is the only way to run one. Each way of asking is an adapter: a
/// switch over [Value], the closed set of what a component of those records can be.
@NullMarked
package im.zonda.operation;

import org.jspecify.annotations.NullMarked;
