package im.zonda.cluster.simulation;

import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.SessionCopy;
import im.zonda.cluster.placement.Stamp;
import im.zonda.cluster.rule.ProtocolRules;
import java.util.Map;
import java.util.function.UnaryOperator;

/// A defect that [ClusterSimulation] must find: a rule that is wrong, or a network that changes a
/// value on its way.
enum PlantedFault {
  NONE(new ProtocolRules());

  private final ProtocolRules rules;

  PlantedFault(ProtocolRules rules) {
    this.rules = rules;
  }

  ProtocolRules rules() {
    return rules;
  }

  Frame tamper(Frame frame) {
    return frame;
  }
}
