package im.zonda.store;

import im.zonda.jid.Jid;
import im.zonda.stanza.Presence;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One contact, or one who only asks to become a contact.
///
/// @param jid the contact's address
/// @param name the owner's name for it, or null
/// @param subscription the subscription state
/// @param ask whether the owner's subscription request waits for an answer ("pending out")
/// @param approved whether a request of the contact is approved in advance
/// @param groups the groups
/// @param request the contact's unanswered subscription request as received ("pending in"), or null
/// @param listed whether it is in the roster that clients see; false for a mere request
public record RosterItem(
    Jid jid,
    @Nullable String name,
    Subscription subscription,
    boolean ask,
    boolean approved,
    List<String> groups,
    @Nullable Presence request,
    boolean listed) {}
