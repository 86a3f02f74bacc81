package im.zonda.cluster.simulation;

import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.SessionCopy;
import im.zonda.cluster.placement.Stamp;
import im.zonda.cluster.rule.ProtocolRules;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A defect that [ClusterSimulation] must find: a rule that is wrong, or a value that is changed on
/// its way. The text says what finds it first.
enum PlantedFault {
  NONE("", new ProtocolRules()),

  /// `<a h/>` before the mirror has the stanza.
  SAFE_BEFORE_MIRROR(
      "I1",
      new ProtocolRules() {
        @Override
        public boolean isMirrored(long version, long confirmed) {
          return true;
        }
      }),

  /// A client at its home, or a room's occupants, see what only one process has: a room's order
  /// differs after the death of its home.
  SEEN_BEFORE_MIRROR(
      "I2",
      new ProtocolRules() {
        @Override
        public boolean isVisible(long version, long confirmed) {
          return true;
        }
      }),

  /// What the home before hands over is lost.
  HAND_OVER_LOST("I6", new ProtocolRules()) {
    @Override
    NodeValue tamper(NodeValue value, boolean early) {
      return value instanceof NodeValue.Held ? new NodeValue.Drop("") : value;
    }
  },

  /// What a session has seen is not handed over.
  SEEN_NOT_HANDED_OVER("I2", new ProtocolRules()) {
    @Override
    NodeValue tamper(NodeValue value, boolean early) {
      return value instanceof NodeValue.Held(int segment, SessionCopy copy)
          ? new NodeValue.Held(segment, withoutSeen(copy))
          : value;
    }
  },

  /// Frames of an older placement are handled.
  OLD_PLACEMENT_ACCEPTED(
      "I6",
      new ProtocolRules() {
        @Override
        public boolean isOutdated(Stamp sent, Stamp installed) {
          return false;
        }
      }),

  /// A frame that waits for its placement is lost.
  EARLY_FRAME_LOST("I6", new ProtocolRules()) {
    @Override
    NodeValue tamper(NodeValue value, boolean early) {
      return early ? new NodeValue.Drop("") : value;
    }
  },

  /// The home before stays home.
  TWO_HOMES(
      "I3",
      new ProtocolRules() {
        @Override
        public boolean seals() {
          return false;
        }
      }),

  /// A new home does not wait for the last answer.
  GATE_OPENED_EARLY(
      "I1",
      new ProtocolRules() {
        @Override
        public boolean opens(int missing, int members) {
          return missing <= 1;
        }
      }),

  /// What was on its way during a move overtakes.
  ORDER_OVER_A_MOVE("I1", new ProtocolRules()) {
    @Override
    boolean swapsFirstRoutes() {
      return true;
    }
  },

  /// What was on its way during a move is not sent to the new home.
  NOT_SENT_AGAIN(
      "I6",
      new ProtocolRules() {
        @Override
        public boolean sendsAgain() {
          return false;
        }
      }),

  /// The outbox forgets what it has sent.
  TRIMMED_WHEN_SENT(
      "I1",
      new ProtocolRules() {
        @Override
        public boolean trimsWhenSent() {
          return true;
        }
      }),

  /// A stanza that is sent again is delivered again.
  DUPLICATES_ACCEPTED(
      "I2",
      new ProtocolRules() {
        @Override
        public boolean isDuplicate(long number, long seen) {
          return false;
        }
      }),

  /// The copy stays where it was when the standby or the edge changes.
  MIRROR_NOT_MOVED(
      "I6",
      new ProtocolRules() {
        @Override
        public boolean copiesToNewMirror() {
          return false;
        }
      }),

  /// A session without a client is in one process only.
  DETACHED_NOT_MIRRORED(
      "I1",
      new ProtocolRules() {
        @Override
        public boolean mirrorsDetached() {
          return false;
        }
      }),

  /// A mirror confirms what it does not have.
  CONFIRMED_WITHOUT_COPY("I1", new ProtocolRules()) {
    @Override
    NodeValue tamper(NodeValue value, boolean early) {
      return value instanceof NodeValue.Update update
          ? new NodeValue.Update(
              update.session(),
              update.version(),
              update.handled(),
              update.acked(),
              List.of(),
              update.fetched(),
              update.ending())
          : value;
    }
  },

  /// Copies that are still needed are dropped.
  COPIES_DROPPED("I6", new ProtocolRules()) {
    @Override
    NodeValue tamper(NodeValue value, boolean early) {
      return value instanceof NodeValue.Keep keep
          ? new NodeValue.Keep(keep.segment(), Set.of())
          : value;
    }
  },

  /// A session is continued elsewhere while its old edge still works on what it has received.
  OLD_EDGE_NOT_CLOSED(
      "I3",
      new ProtocolRules() {
        @Override
        public boolean waitsForOldEdge() {
          return false;
        }
      }),

  /// `h` is smaller than before.
  COUNT_GOES_BACK(
      "I4",
      new ProtocolRules() {
        @Override
        public long acknowledged(long given, long mirrored, long handled) {
          return given > 4 && mirrored > given ? given - 1 : Math.max(given, mirrored);
        }
      }),

  /// `h` is known to the edge only.
  COUNT_NOT_MIRRORED(
      "I4",
      new ProtocolRules() {
        @Override
        public long acknowledged(long given, long mirrored, long handled) {
          return Math.max(given, Math.max(mirrored, handled));
        }
      }),

  /// `h` covers a stanza that is not SAFE.
  COUNT_WITH_A_GAP(
      "I1",
      new ProtocolRules() {
        @Override
        public long handled(long before, long firstPending, long received) {
          return received;
        }
      }),

  /// SAFE for a row that is not committed.
  SAFE_BEFORE_COMMIT(
      "I1",
      new ProtocolRules() {
        @Override
        public boolean isSafe(int sessions, int commits) {
          return sessions == 0;
        }
      }),

  /// The database takes rows from a process that is the home no more.
  DATABASE_NOT_FENCED("I5", new ProtocolRules()) {
    @Override
    boolean fences() {
      return false;
    }
  },

  /// A minority takes the epoch like a majority.
  MINORITY_TAKES_EPOCH(
      "I1",
      new ProtocolRules() {
        @Override
        public boolean isMajority(int survivors, int before) {
          return true;
        }
      }),

  /// A minority takes the epoch although others live.
  NO_PATIENCE(
      "I1",
      new ProtocolRules() {
        @Override
        public boolean isAbandoned(long waited, long patience) {
          return true;
        }
      }),

  /// Both sides of a split go on without a new epoch.
  ACTS_WITHOUT_EPOCH(
      "I3",
      new ProtocolRules() {
        @Override
        public boolean isLegal(boolean sameMembers) {
          return true;
        }
      }),

  /// A process that the cluster has gone on without does not begin again.
  EXCLUDED_GOES_ON(
      "I6",
      new ProtocolRules() {
        @Override
        public boolean restartsWhenExcluded() {
          return false;
        }
      }),

  /// A process that has been away tells its clients that their sessions do not exist.
  REFUSED_WITHOUT_WITNESS(
      "I4",
      new ProtocolRules() {
        @Override
        public boolean refusesWithWitness() {
          return false;
        }
      });

  private final String invariant;

  /// Functions without state.
  @SuppressWarnings("ImmutableEnumChecker")
  private final ProtocolRules rules;

  PlantedFault(String invariant, ProtocolRules rules) {
    this.invariant = invariant;
    this.rules = rules;
  }

  private static SessionCopy withoutSeen(SessionCopy copy) {
    return new SessionCopy(
        copy.id(),
        copy.owner(),
        copy.resource(),
        copy.version(),
        copy.attachment(),
        copy.handled(),
        copy.acked(),
        copy.queue(),
        Map.of(),
        copy.fetched(),
        copy.ending());
  }

  /// The invariant that finds it.
  String invariant() {
    return invariant;
  }

  ProtocolRules rules() {
    return rules;
  }

  /// The value that arrives in place of another one.
  ///
  /// @param early whether the receiver does not have its placement yet
  NodeValue tamper(NodeValue value, boolean early) {
    return value;
  }

  /// Whether the first two stanzas on a link in a placement change places.
  boolean swapsFirstRoutes() {
    return false;
  }

  /// Whether the database refuses what comes from a former home.
  boolean fences() {
    return true;
  }

  Frame tamper(Frame frame, boolean early) {
    return frame instanceof Frame.Data data
        ? new Frame.Data(
            data.version(),
            data.stamp(),
            data.from(),
            data.received(),
            data.number(),
            tamper(data.value(), early))
        : frame;
  }
}
