package im.zonda.cluster.message;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.StanzaBytes;
import java.util.List;
import java.util.Set;

/// A message between parts of the server on different nodes. Between two members each message
/// arrives once and in order, over all placements, unless one of them leaves the cluster.
public sealed interface NodeMessage {
  /// Receives the messages of other nodes to a part of this one. Called by one thread at a time;
  /// the methods return at once.
  interface Listener {
    /// Handles a message of another node; ignores kinds that are not for this part.
    void receive(Member from, NodeMessage value);

    /// Sets the nodes of the cluster.
    void placed(Set<Member> members);
  }

  /// Says something to parts of the server on other nodes. Any thread may call; calls return at
  /// once.
  interface Sender {
    /// A server without a cluster.
    Sender NONE =
        new Sender() {
          @Override
          public void post(Member to, NodeMessage value) {
            throw new IllegalStateException("there is no other node");
          }

          @Override
          public void postToOthers(NodeMessage value) {}
        };

    /// Says something to a node, which may be this one ([LocalHomes#receive]); does nothing if the
    /// node is no member.
    void post(Member to, NodeMessage value);

    /// Says something to all other nodes.
    void postToOthers(NodeMessage value);
  }

  /// The home that waits for the value while its segment is gated; empty if there is none.
  default String owner() {
    return "";
  }

  // ---- from the stream of a component to the home of its domain

  /// A component has authenticated at the sender.
  ///
  /// @param link the number of its stream there
  record ComponentOpened(String domain, long link) implements NodeMessage {
    @Override
    public String owner() {
      return domain;
    }
  }

  /// The bytes of the stanzas up to that number have left.
  record ComponentWritten(String domain, long link, long number) implements NodeMessage {
    @Override
    public String owner() {
      return domain;
    }
  }

  /// The stream has ended.
  ///
  /// @param output whether its output has ended too
  record ComponentEnded(String domain, long link, boolean output) implements NodeMessage {
    @Override
    public String owner() {
      return domain;
    }
  }

  // ---- from the home of a component's domain

  /// A stanza for the stream with that number at the receiver.
  record ComponentStanza(long link, long number, StanzaBytes stanza) implements NodeMessage {}

  /// The stream with that number at the receiver is to end with a stream error.
  record ComponentClosed(long link, String condition, String text) implements NodeMessage {}

  /// The state of a component at its home.
  enum Presence {
    /// It has connections.
    CONNECTED,
    /// It has none, but stanzas wait for it.
    AWAY,
    /// It has none and no route, because only a pattern of the settings fits its domain.
    GONE
  }

  /// The state of the component has changed.
  record ComponentPresence(String domain, Presence presence) implements NodeMessage {}

  /// A stanza that has moved with a home has been handled.
  ///
  /// @param id its number at the receiver
  record MovedHandled(long id) implements NodeMessage {}

  // ---- requests of the server

  /// The sender waits for the answer to a request, on behalf of `requester`.
  record Asked(String from, String to, String id, String requester) implements NodeMessage {}

  /// The sender no longer waits for that answer.
  record AskedNoMore(String from, String to, String id) implements NodeMessage {}

  /// The answer to a request of the receiver.
  record Answered(StanzaBytes answer) implements NodeMessage {}

  // ---- capabilities of clients

  /// The features behind a hash, which the sender has verified (XEP-0115).
  ///
  /// @param source the bare address of the user whose client has sent them
  record Features(String algorithm, String hash, List<String> features, String source)
      implements NodeMessage {
    /// Copies the list.
    public Features {
      features = List.copyOf(features);
    }
  }

  // ---- configuration

  /// What the sender serves: the name of each section of its configuration, with a hash of what is
  /// in it, such as `hosts=00ff;rooms=ff00`.
  record Served(String sections) implements NodeMessage {}

  // ---- modules

  /// A module of a host, or a part of the server, has changed what all nodes share.
  ///
  /// @param domain the host; empty for the server ([ServerNotices])
  record ModuleNotice(String domain, String module) implements NodeMessage {}

  // ---- BOSH

  /// A client has sent the sender a request for a session of the receiver.
  ///
  /// @param question its number at the sender
  /// @param secure whether it came by TLS
  /// @param body its body
  record BoshAsked(long question, boolean secure, StanzaBytes body) implements NodeMessage {}

  /// The response to such a request.
  ///
  /// @param status the status of HTTP
  /// @param type the media type
  record BoshAnswered(long question, int status, String type, StanzaBytes body)
      implements NodeMessage {}

  // ---- sessions

  /// The sender wants to know which accounts of a host have sessions at the receiver.
  ///
  /// @param question its number at the sender
  /// @param activity the name of the activity of the sessions
  /// @param limit how many addresses are wanted
  /// @param after the address after which these start; empty for the first ones
  record OnlineAsked(long question, String domain, String activity, int limit, String after)
      implements NodeMessage {}

  /// The answer.
  ///
  /// @param accounts the addresses, a line each
  record OnlineFound(long question, long count, StanzaBytes accounts) implements NodeMessage {}

  // ---- bytestreams

  /// The receiver is to activate a stream (XEP-0065) if both parties are connected to it.
  ///
  /// @param question its number at the sender
  /// @param address what both have named as DST.ADDR
  /// @param requester the account to which the stream counts
  record StreamAsked(long question, String address, String requester) implements NodeMessage {}

  /// The answer.
  ///
  /// @param outcome the name of the activation's outcome
  record StreamAnswered(long question, String outcome) implements NodeMessage {}

  // ---- administration

  /// The receiver is to run an operation of administration.
  ///
  /// @param question its number at the sender
  /// @param call the requester, the operation and its input
  record OperationAsked(long question, StanzaBytes call) implements NodeMessage {}

  /// The outcome.
  record OperationAnswered(long question, StanzaBytes outcome) implements NodeMessage {}

  /// The receiver is to send the number back at once: how long that takes is measured.
  record Probed(long number) implements NodeMessage {}

  /// The answer.
  record ProbeAnswered(long number) implements NodeMessage {}
}
