package im.zonda.store;

import im.zonda.jid.Jid;
import im.zonda.stanza.Presence;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A roster item: a contact, or a pending subscription request of someone who is not.
///
/// @param jid the contact's address
/// @param name the name that the owner gave it, or null
/// @param subscription the subscription state
/// @param ask whether the owner's subscription request is pending ("pending out")
/// @param approved whether a request of the contact is pre-approved
/// @param groups the groups
/// @param request the contact's unanswered subscription request as received ("pending in"), or null
/// @param listed whether clients see it in the roster; false for a pending request only
public record RosterItem(
    Jid jid,
    @Nullable String name,
    Subscription subscription,
    boolean ask,
    boolean approved,
    List<String> groups,
    @Nullable Presence request,
    boolean listed) {}
