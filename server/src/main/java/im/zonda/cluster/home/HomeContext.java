package im.zonda.cluster.home;

import im.zonda.cluster.Member;
import im.zonda.cluster.rule.ProtocolRules;

/// What all homes of a node share.
///
/// @param replicas the copies that this node keeps for other homes
public record HomeContext(
    Member self, ProtocolRules rules, Directory directory, Replicas replicas, HomeOutput output) {}
