// Tours: a text, what is lit, and what the page does first.  Sentences for somebody who has never heard of POMDPs.
export const tours = [
  {
    name: "Tiger, with a price",
    text: "Two doors, a tiger behind one. When is it worth paying to know?",
    steps: [
      { at: ".belief", do: (page) => page.open({ spec: "tiger" }, { cost: 12, seed: 3 }), text: "A tiger waits behind one of two doors, gold behind the other. You do not know which: both states have a probability of one half. That is the belief." },
      { at: ".decision", text: "You may open a door, or listen, which costs 1 and is right 85 % of the time. Or you may pay the price and be told. Each bar says what a choice is worth: at least its left end, at most its right end." },
      { at: ".decision", text: "At a price of 12 the planner listens. The bar of asking lies left of it and is hatched: asking is proved to be worse." },
      { at: ".belief", do: (page) => page.step(), text: "It listened and heard something. The belief has moved, but is not certain yet. So it will listen again." },
      { at: ".price", do: (page) => page.price(5), text: "Now asking costs 5. The planner has thought again, and asks. The orange line is the break-even price, a little above 9: below it asking pays, above it listening does." },
      { at: ".price", text: "Move the slider yourself and watch the decision change. That is the whole idea of glimpse: knowing has a price, and the planner knows when to pay it." },
    ],
  },
  {
    name: "The robot that delivers",
    text: "A robot fetches packages in rooms it can hardly see.",
    steps: [
      { at: ".world", do: (page) => page.open({ spec: "robot-delivery:n=3" }, { seed: 2 }), text: "A robot R fetches a package P and brings it to D. Its moves sometimes fail, and it sees only how many walls are around it." },
      { at: ".belief", text: "So it does not know where the package lies: three corridors are equally likely. Darker means more likely." },
      { at: ".bounds", text: "This is the planner thinking. It looks at possible futures, one belief after the other. The true value lies between the two lines, and they close." },
      { at: ".bar", do: (page) => page.run(3), text: "Let it run. Every ? on the timeline is a moment where it paid to be told its state." },
      { at: ".plan", do: (page) => page.pause(), text: "This is its plan from here: what it does, what it may see, what it does then. Orange is asking. Click a belief to see what follows." },
      { at: ".decision", text: "Now you. Click another choice than the planner's, and it will tell what that costs. Then let it go on: it makes the best of what you did." },
    ],
  },
  {
    name: "A lake, walked blind",
    text: "Ice, holes, and eyes closed. How often must one look?",
    steps: [
      { at: ".world", do: (page) => page.open({ spec: "frozen-lake:size=8" }, { seed: 5 }), text: "A frozen lake. You start in the upper left corner and want to reach the lower right one. Cells with an H are holes. The ice is slippery: a step may go on for one cell more." },
      { at: ".belief", text: "And you walk with closed eyes: you feel the ice, nothing else. Opening them costs a little." },
      { at: ".bar", do: (page) => page.run(3), text: "The first steps are blind. The belief spreads out over the cells where you may be by now." },
      { at: ".belief", text: "When the doubt becomes dangerous, the planner looks: the belief shrinks to one cell, and it walks blind again. It looks rarely, but where it matters." },
      { at: ".price", do: (page) => page.pause(), text: "Make looking dearer with the slider: it will look less, and take other ways. Make it cheap: it looks before every risk." },
    ],
  },
];
