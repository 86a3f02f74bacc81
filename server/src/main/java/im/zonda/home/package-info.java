/// Homes and their mailboxes, for accounts, for the addresses of a service, and for whatever else
/// has one place where everything concerning it happens in order.
///
/// ## Threads
///
/// [im.zonda.home.Mailbox] is the one class that decides which thread runs what.
///
/// - An idle mailbox runs a task that cannot block at once, on the caller's thread. For an ordinary
///   message between two people that is an event loop from end to end.
/// - A task that may block goes to a worker, a virtual thread. A task for a busy mailbox is queued
///   behind the one that runs. The first task for a home that is not loaded may block.
/// - No exception leaves a mailbox busy: the task that threw is notified, and the next one runs.
/// - Nothing is dropped. While more than `limits.mailbox-tasks` wait, those who submit are asked to
///   stop reading from their clients, until half of the tasks are done.
///
/// From one sender to one receiver, stanzas keep their order on every path.
///
/// ## Loading
///
/// [im.zonda.home.Homes] makes a mailbox with the first task for an address. The home behind it is
/// loaded inside the mailbox, by that task, and unloaded by the sweep when its
/// [im.zonda.home.HomeKind] agrees. More than `limits.homes` of them cause an early sweep, so that
/// stanzas to many different addresses cannot fill the memory between two sweeps.
///
/// `Homes` is also the only place that asks [im.zonda.cluster.node.Nodes] whether the home of an
/// address is on this node, and sends stanzas to homes on others.
@NullMarked
package im.zonda.home;

import org.jspecify.annotations.NullMarked;
