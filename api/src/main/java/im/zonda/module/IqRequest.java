package im.zonda.module;

import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import org.jspecify.annotations.Nullable;

/// An IQ get or set that a module answers.
///
/// @param iq the IQ, `from` stamped
/// @param payload its payload
/// @param home where it runs: the addressed account's home, or the sender's for [Addressee#SERVER]
/// @param session the session that sent it, if that is one of this home's; else null
public record IqRequest(Iq iq, Element payload, Home home, @Nullable Session session) {}
