"""Han, Wuillemin and Senellart (ICWE 2018): crawling as a Markov decision process.

=================  ==========================================
Sec. 3.1           ``sarsa``: states, actions, rewards
Sec. 3.2, 3.3      ``linear_sarsa``: values and their updates
Sec. 4             ``best_first``: the baseline
=================  ==========================================
"""
