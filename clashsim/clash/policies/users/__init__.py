"""Policies of users: what they see of the game (view.py), what they answer (answers.py), who asks them (decide.py).

The asking unit is compiled by itself and kept on disk, like the policies that look ahead; of a user's file
only the user's own functions are compiled when it is loaded (loading.py).
"""
