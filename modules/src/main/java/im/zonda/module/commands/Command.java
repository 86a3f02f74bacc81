package im.zonda.module.commands;

import im.zonda.jid.Jid;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// A command (XEP-0050).
///
/// It is a function of the forms that the requester has submitted: with none it asks for the first
/// or completes, with one it asks for the second or completes, and so on. So a requester who goes
/// back a stage gets that stage again.
///
/// @param node the node, unique for the address
/// @param name the name for people
/// @param allowed whether a requester, by its full address, may run the command
/// @param action runs one stage and answers it, now or later. May block
public record Command(
    String node, String name, Predicate<Jid> allowed, Consumer<CommandStage> action) {}
